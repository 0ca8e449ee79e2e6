import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'

const target = document.getElementById('app')
// A task of its own, behind that which has read the scripts.
if (target) setTimeout(() => mount(App, { target }))
