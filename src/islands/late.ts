/** Styles and icons that no first paint needs (decision 148). Imported by each entry that renders React. */
import { adoptStyles } from '../browser/adopt-styles.ts';
import { toLateIcons } from '../lib/icons.ts';
import styles from '../styles/late.css?inline';

adoptStyles(styles);
document.getElementById('icons')?.insertAdjacentHTML('beforeend', toLateIcons());
